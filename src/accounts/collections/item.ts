import { c, type Row } from '../../platform/database/index.ts'

/** The columns of an item, which are also the entity's members. */
export const ITEM_COLUMNS = { id: c.id, account_id: c.id, state: c.text, created_at: c.timestamp } as const

/** The entity CollectionItem of a pending or accepted item. */
export const toItem = ({ id, account_id, state, created_at }: Row<typeof ITEM_COLUMNS>): object => ({
  id,
  account_id,
  state,
  created_at,
})
