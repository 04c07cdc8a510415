import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Note } from './note.ts'
import { findAccountsByUri, type StoredAccount, type StoredStatus } from './find_by_uri.ts'

const findMentioned = query('federation/receive/mentioned', { status: c.id, accounts: c.ids }, { account_id: c.id })

type Accounts = ReadonlyMap<string, StoredAccount>

/** The accounts that a note mentions, and other accounts with access (silent). */
export interface Addressees {
  readonly mentioned: Id[]
  readonly silent: Id[]
}

export const isListed = ({ visibility }: Pick<StoredStatus, 'visibility'>): boolean =>
  visibility === 'public' || visibility === 'unlisted'

function localIds(uris: readonly string[], accounts: Accounts): Id[] {
  const found = uris.flatMap(uri => accounts.get(uri) ?? [])
  return found.flatMap(({ id, isLocal }) => (isLocal ? [id] : []))
}

/**
 * The URIs of the accounts that a note mentions. A mention opens a private or direct note to a
 * local account, which a tag alone must not: in some programs people choose the recipients, but
 * whomever the text names is tagged.
 * @param known the stored accounts that it addresses or tags
 * @param recipient the owner of the inbox that it was delivered to
 */
export function effectiveMentions(note: Note, known: Accounts, recipient: Id | undefined): readonly string[] {
  if (isListed(note)) return note.mentions
  const addressed = new Set([...localIds(note.audience, known), recipient])
  return note.mentions.filter(uri => {
    const account = known.get(uri)
    return account?.isLocal !== true || addressed.has(account.id)
  })
}

/**
 * As `effectiveMentions` for the new version of a status, which also mentions those whom an older
 * version was for.
 */
export async function editedMentions(
  services: Services,
  note: Note,
  stored: StoredStatus,
  recipient: Id | undefined,
): Promise<readonly string[]> {
  if (isListed(stored)) return note.mentions
  const known = await findAccountsByUri(services, [...new Set([...note.mentions, ...note.audience])])
  const effective = new Set(effectiveMentions({ ...note, visibility: 'direct' }, known, recipient))
  const others = localIds(
    note.mentions.filter(uri => !effective.has(uri)),
    known,
  )
  if (others.length === 0) return note.mentions
  const rows = await services.database.run(findMentioned, { status: stored.id, accounts: others })
  const before = new Set(rows.map(row => row.account_id))
  return note.mentions.filter(uri => effective.has(uri) || before.has(known.get(uri)?.id ?? ''))
}

/** The local accounts that a note is for. */
export const localAddressees = (
  note: Note,
  mentions: readonly string[],
  known: Accounts,
  recipient: Id | undefined,
): Id[] => [
  ...localIds([...new Set([...note.audience, ...mentions])], known),
  ...(recipient === undefined ? [] : [recipient]),
]

/**
 * `silent` are local accounts that are addressed but not mentioned, and the owner of the inbox.
 * @param named the accounts that it mentions
 */
export function collectAddressees(
  note: Note,
  author: Id,
  mentions: readonly string[],
  { named, known }: { readonly named: Accounts; readonly known: Accounts },
  recipient: Id | undefined,
): Addressees {
  const mentioned = new Set(mentions.flatMap(uri => named.get(uri)?.id ?? []))
  const silent = new Set(localAddressees(note, [], known, recipient))
  mentioned.delete(author)
  for (const id of mentioned) silent.delete(id)
  return { mentioned: [...mentioned], silent: [...silent] }
}
