// The payment server tells here what was paid. No browser does: anybody can send what a browser sends.
import { BadRequestException, Controller, HttpCode, Post, Req, UnauthorizedException } from '@nestjs/common';
import type { Request } from 'express';
import { Webhook } from 'standardwebhooks';
import { type EventData, Events } from './events';

/** The data stand in a member of their own, or, as earlier servers send them, beside the type. */
type EventBody = { type: string; data?: EventData } & Partial<EventData>;

@Controller('events')
export class EventsController {
  constructor(
    private readonly webhook: Webhook,
    private readonly events: Events,
  ) {}

  /** All but 2xx is sent again. The body is the received bytes: the plugin lets nobody parse them before. */
  @Post()
  @HttpCode(204)
  async take(@Req() request: Request): Promise<void> {
    const id = request.headers['webhook-id'];
    let body: EventBody;
    try {
      body = this.webhook.verify(request.body, request.headers as Record<string, string>) as EventBody;
    } catch (error) {
      // The reason is for the log: whether the secret is another one, or a clock is wrong.
      throw new UnauthorizedException(`This is no event of the payment server: ${(error as Error).message}.`);
    }
    const data = body.data ?? (body as EventData);
    if (typeof data.order_id !== 'string') throw new BadRequestException('The event names no order.');
    await this.events.take(String(id), body.type, data);
  }
}
