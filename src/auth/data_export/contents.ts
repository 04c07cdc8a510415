import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { StoredField, StoredImage } from '../../accounts/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, CONTEXT, fileName, type Owner } from './activity.ts'
import { markedUris } from './archive_rows.ts'
import { outboxOf } from './outbox.ts'
import { readOn } from './pages.ts'
import type { Entry } from './zip.ts'

const findActor = query(
  'auth/data_export/actor',
  { account: c.id },
  {
    id: c.id,
    username: c.text,
    display_name: c.text,
    note_html: c.text,
    fields: c.json<StoredField[]>(),
    avatar: c.nullable(c.json<StoredImage>()),
    avatar_description: c.text,
    header: c.nullable(c.json<StoredImage>()),
    header_description: c.text,
    actor_type: c.text,
    locked: c.boolean,
    discoverable: c.boolean,
    indexable: c.boolean,
    memorial: c.boolean,
    attribution_domains: c.texts,
    created_at: c.timestamp,
  },
)
const findFiles = query('auth/data_export/files', { account: c.id, after: c.id }, { id: c.id, file_key: c.text })

type Actor = NonNullable<Awaited<ReturnType<typeof actorOf>>>

const actorOf = ({ database }: Services, account: Id) => database.one(findActor, { account })

const pictureName = (kind: 'avatar' | 'header', { key }: StoredImage): string => `${kind}${path.extname(key)}`

function picture(kind: 'avatar' | 'header', image: StoredImage | null, summary: string): object {
  if (image === null) return {}
  const url = pictureName(kind, image)
  const document = { type: 'Image', mediaType: image.type, url, ...(summary !== '' && { summary }) }
  return { [kind === 'avatar' ? 'icon' : 'image']: document }
}

/** The profile, with URLs replaced by the paths of files in the archive. */
function actorDocument(actor: Actor, { publicUrl }: Owner): object {
  return {
    '@context': CONTEXT,
    id: actorUri(actor.id, publicUrl),
    type: actor.actor_type,
    preferredUsername: actor.username,
    name: actor.display_name === '' ? actor.username : actor.display_name,
    summary: actor.note_html,
    url: `${publicUrl}/@${actor.username}`,
    outbox: 'outbox.json',
    likes: 'likes.json',
    bookmarks: 'bookmarks.json',
    manuallyApprovesFollowers: actor.locked,
    discoverable: actor.discoverable,
    indexable: actor.indexable,
    memorial: actor.memorial,
    published: `${actor.created_at.toISOString().slice(0, 10)}T00:00:00Z`,
    attachment: actor.fields.map(({ name, value_html: value }) => ({ type: 'PropertyValue', name, value })),
    ...(actor.attribution_domains.length > 0 && { attributionDomains: actor.attribution_domains }),
    ...picture('avatar', actor.avatar, actor.avatar_description),
    ...picture('header', actor.header, actor.header_description),
  }
}

/** An OrderedCollection, written item by item; `totalItems` comes last, when it is known. */
async function* collectionText(id: string, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `${JSON.stringify({ '@context': CONTEXT, id, type: 'OrderedCollection' }).slice(0, -1)},"orderedItems":[`
  let count = 0
  for await (const item of items) {
    yield `${count === 0 ? '' : ','}\n${JSON.stringify(item)}`
    count += 1
  }
  yield `\n],"totalItems":${count}}\n`
}

const collection = (name: string, items: AsyncIterable<unknown>): Entry => ({
  name,
  compress: true,
  open: async () => Readable.from(collectionText(name, items)),
})

/**
 * A stored file. A file in a bucket is first copied to the folder, and deleted once it is in the
 * archive; a missing file is skipped.
 */
async function* stored({ storage }: Services, folder: string, name: string, key: string): AsyncGenerator<Entry> {
  const file = await storage.copyFor(key, folder)
  if (file === undefined) return
  yield { name, compress: false, open: async () => createReadStream(file) }
  if (path.dirname(file) === folder) await rm(file)
}

/** All entries of an archive, in order. Files are copied to `folder` where necessary. */
export async function* entriesOf(services: Services, account: Id, folder: string): AsyncGenerator<Entry> {
  const { database, config } = services
  const actor = await actorOf(services, account)
  if (!actor) throw new Error('the account does not exist')
  const { publicUrl } = config
  const owner: Owner = { id: account, username: actor.username, publicUrl }
  const profile = `${JSON.stringify(actorDocument(actor, owner), null, 2)}\n`
  yield { name: 'actor.json', compress: true, open: async () => Readable.from([profile]) }
  for (const kind of ['avatar', 'header'] as const) {
    const image = actor[kind]
    if (image) yield* stored(services, folder, pictureName(kind, image), image.key)
  }
  yield collection('outbox.json', outboxOf(database, owner))
  yield collection('likes.json', markedUris(database, 'favourites', account, publicUrl))
  yield collection('bookmarks.json', markedUris(database, 'bookmarks', account, publicUrl))
  for await (const file of readOn(
    after => database.run(findFiles, { account, after }),
    row => row.id,
  ))
    yield* stored(services, folder, fileName(file.id, file.file_key), file.file_key)
}
