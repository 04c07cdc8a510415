import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { validationError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { rangeParameters, type Range } from '../../platform/http/index.ts'

const columns = { id: c.id, canonical_email_hash: c.text } as const
const findByEmail = query('moderation/email_blocks/find_address', { email: c.text }, columns)
const findOne = query('moderation/email_blocks/address_block', { id: c.id }, columns)
const findPage = query(
  'moderation/email_blocks/address_page',
  { max_id: c.nullable(c.id), since_id: c.nullable(c.id), min_id: c.nullable(c.id), limit: c.integer },
  columns,
)
const add = query(
  'moderation/email_blocks/add_address',
  { moderator: c.nullable(c.id), email: c.nullable(c.text), hash: c.nullable(c.text) },
  columns,
)
const remove = query(
  'moderation/email_blocks/remove_address',
  { moderator: c.nullable(c.id), hash: c.text },
  { id: c.id },
)

/** A blocked address: the hash of the form that all its spellings have in common. */
export type AddressBlock = Row<typeof columns>

export const findAddressBlock = (runner: Runner, id: Id): Promise<AddressBlock | undefined> =>
  runner.one(findOne, { id })

/** A page of the blocked addresses, newest first. */
export const findAddressBlocks = (runner: Runner, range: Range): Promise<AddressBlock[]> =>
  runner.run(findPage, rangeParameters(range))

/** The block of an address in any spelling. */
export const matchAddress = (runner: Runner, email: string): Promise<AddressBlock | undefined> =>
  runner.one(findByEmail, { email })

const HASH = /^[0-9a-f]{64}$/
const ADDRESS = /^[^@\s]+@[^@\s]+$/
const MAX_ADDRESS = 320

/**
 * Blocks an address in all its spellings.
 * @param moderator null for the operator
 * @param given the address or, without one, the hash of its canonical form
 * @throws ApiError validation
 */
export async function blockAddress(
  runner: Runner,
  moderator: Id | null,
  input: { readonly email?: string | undefined; readonly hash?: string | undefined },
): Promise<AddressBlock> {
  const email = input.email?.trim() ?? ''
  const hash = input.hash?.trim().toLowerCase() ?? ''
  if (email === '' && hash === '') throw validationError("Canonical email hash can't be blank")
  if (email !== '' && (!ADDRESS.test(email) || email.length > MAX_ADDRESS))
    throw validationError('E-mail address is invalid')
  if (email === '' && !HASH.test(hash)) throw validationError('Canonical email hash is invalid')
  const added = await runner.one(
    add,
    email === '' ? { moderator, email: null, hash } : { moderator, email, hash: null },
  )
  if (!added) throw validationError('Canonical email hash has already been taken')
  return added
}

/** Removes a block. */
export async function removeAddressBlock(runner: Runner, moderator: Id | null, block: AddressBlock): Promise<void> {
  await runner.one(remove, { moderator, hash: block.canonical_email_hash })
}
