import { renderAccount } from '../accounts/index.ts'
import { type EmojiRow, toEmojis } from '../media/custom_emojis/index.ts'
import { c, query, type Row } from '../platform/database/index.ts'
import { Json, list } from '../platform/http/response.ts'
import { operation } from '../platform/http/operation.ts'
import type { Id } from '../core/id.ts'
import { htmlToText } from '../core/text/index.ts'
import { statusMissing, STATUS_ID } from './status_response.ts'
import { renderQuote } from './render.ts'
import { type AttachmentRow, type FileUrl, toAttachment } from '../media/attachments/index.ts'

/** An attachment in a version; without its own description it has the present one. */
interface Described {
  readonly id: Id
  readonly description?: string | null
}

const findVersions = query(
  'statuses/history',
  { viewer: c.nullable(c.id), status: c.id },
  {
    account_id: c.id,
    content: c.text,
    spoiler_text: c.text,
    sensitive: c.boolean,
    created_at: c.timestamp,
    media: c.nullable(c.json<AttachmentRow[]>()),
    described: c.json<Described[]>(),
    poll: c.nullable(c.json<readonly string[]>()),
    emojis: c.nullable(c.json<EmojiRow[]>()),
  },
)

export const showHistory = operation({
  method: 'GET',
  path: '/api/v1/statuses/:id/history',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  cacheTags: ({ id }) => [id],
  summary: 'List the versions of a status, the oldest first',
  params: { id: STATUS_ID },
  returns: '[StatusEdit]',
  async handle({ id }, context) {
    const { viewer, database, storage, config } = context
    const rows = await database.run(findVersions, { viewer: viewer?.id ?? null, status: id })
    const [first] = rows
    const account = first && (await renderAccount(context, viewer, first.account_id))
    if (!account) throw statusMissing()
    const quote = await renderQuote(context, viewer, id)
    return list(rows.map(row => renderVersion(row, account, quote, key => storage.url(key), config.publicUrl)))
  },
})

function renderVersion(
  row: Row<typeof findVersions.columns>,
  account: Json,
  quote: Json | undefined,
  fileUrl: FileUrl,
  publicUrl: string,
): Json {
  const described = new Map(row.described.map(({ id, description }) => [id, description]))
  const media = (row.media ?? []).map(one => {
    const description = described.get(one.id)
    return toAttachment(description === undefined ? one : { ...one, description }, fileUrl, publicUrl)
  })
  const { content, spoiler_text, sensitive, created_at } = row
  const head = JSON.stringify({ content, spoiler_text, sensitive, created_at })
  const options = row.poll ?? []
  const tail = JSON.stringify({
    ...(row.poll && { poll: { options: options.map(title => ({ title })) } }),
    media_attachments: media,
    emojis: toEmojis(row.emojis, () => [spoiler_text, htmlToText(content), ...options].join(' '), fileUrl),
  })
  // Edits never change the quote.
  const end = quote ? `${tail.slice(1, -1)},"quote":${quote.text}}` : tail.slice(1)
  return new Json(`${head.slice(0, -1)},"account":${account.text},${end}`)
}
