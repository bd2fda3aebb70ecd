import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** An event that was worked through, and does nothing when it comes again. */
@Entity()
export class TakenEvent {
  @PrimaryColumn({ type: 'varchar', length: 64 })
  id!: string;

  /** Those of some months ago may be removed: the payment server keeps an event for 30 days after its delivery. */
  @CreateDateColumn()
  takenAt!: Date;
}
