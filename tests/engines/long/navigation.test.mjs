import assert from "node:assert/strict";
import { story } from "../support/story.mjs";

story("a reload goes on with the same code", async ({ payer, engine, sandbox }) => {
  const order = await payer.orders();
  await payer.paysByQr();
  await engine.reload();
  await payer.seesCode();
  await sandbox.drive(await order.number(), "pay");
  await payer.sees("paid");
});

story("a lender approves, and the payer returns", async ({ payer, engine, sandbox, photograph }) => {
  const order = await payer.orders();
  await payer.presses("installmentMethod");
  await payer.arrivesAtTheLender();
  await payer.approvesAtTheLender();
  await payer.sees("paid");
  assert.equal(await order.state(), "paid");
  // The page removes the return token from the address, so that the payer cannot copy it.
  assert.equal(await engine.evaluate(() => location.search), `?order=${order.id}`);
  assert.equal((await sandbox.authorizations(order)).length, 1);
  await photograph("paid by installments");
});

story("Back from the lender goes on with the payment", async ({ payer, engine, sandbox }) => {
  const order = await payer.orders();
  await payer.presses("installmentMethod");
  await payer.arrivesAtTheLender();
  await engine.back();
  await payer.sees("continue");
  await payer.presses("continueLink");
  await payer.arrivesAtTheLender();
  await payer.approvesAtTheLender();
  await payer.sees("paid");
  assert.equal((await sandbox.authorizations(order)).length, 1);
});
