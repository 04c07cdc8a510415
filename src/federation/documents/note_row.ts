import type { AttachmentRow } from '../../media/attachments/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import type { MentionedActor } from './addresses.ts'
import type { FederatedEmoji } from './emojis.ts'
import type { StatusReference } from './reference.ts'

interface PollRow {
  readonly options: readonly string[]
  readonly tallies: readonly number[]
  readonly voters: number
  readonly multiple: boolean
  /** Whether the tallies are hidden until the end. */
  readonly hidden: boolean
  readonly expires_at: string | null
  readonly closed: string | null
}

interface QuoteRow {
  readonly id: Id
  readonly state: 'pending' | 'accepted'
  readonly author: Id
  readonly local: boolean
  /** The URI of a remote author's authorization. */
  readonly approval_uri: string | null
  readonly status: StatusReference | null
}

/** The first status of a thread that a local account began. */
interface RootRow {
  readonly account: Id
  readonly status: Id
}

/** A collection of accounts that the text links to. */
export interface LinkedCollection {
  readonly id: Id
  readonly account_id: Id
  readonly name: string
  /** The URI of a remote collection; null for a local one. */
  readonly uri: string | null
}

const find = query(
  'federation/documents/notes',
  { viewer: c.nullable(c.id), domain: c.nullable(c.text), ids: c.ids },
  {
    id: c.id,
    account_id: c.id,
    username: c.text,
    created_at: c.timestamp,
    edited_at: c.nullable(c.timestamp),
    content: c.text,
    spoiler_text: c.text,
    visibility: c.visibility,
    sensitive: c.boolean,
    language: c.nullable(c.text),
    quote_approval_policy: c.text,
    parent: c.nullable(c.json<StatusReference>()),
    boosted: c.nullable(c.json<StatusReference>()),
    conversation: c.nullable(c.text),
    root: c.nullable(c.json<RootRow>()),
    mentions: c.nullable(c.json<readonly MentionedActor[]>()),
    tags: c.texts,
    attachments: c.nullable(c.json<readonly AttachmentRow[]>()),
    collections: c.nullable(c.json<readonly LinkedCollection[]>()),
    emojis: c.nullable(c.json<readonly FederatedEmoji[]>()),
    poll: c.nullable(c.json<PollRow>()),
    quote: c.nullable(c.json<QuoteRow>()),
    card_url: c.nullable(c.text),
    own_replies: c.ids,
    likes: c.integer,
    shares: c.integer,
  },
)

/** A local status or boost with everything that its document contains. */
export type NoteRow = Row<typeof find.columns>

/** The reader of a document: the remote actor that signed the request, or an anonymous one. */
export interface Reader {
  /** The account of the actor, if it is known here. */
  readonly account: Id | null
  readonly host: string | null
}

export const ANONYMOUS: Reader = { account: null, host: null }

/** Finds the local statuses among these that the reader may see, newest first. */
export const findNotes = ({ database }: Services, reader: Reader, ids: readonly Id[]): Promise<NoteRow[]> =>
  database.run(find, { viewer: reader.account, domain: reader.host, ids: [...ids] })
