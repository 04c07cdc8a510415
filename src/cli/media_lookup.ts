import { c, query } from '../platform/database/index.ts'
import { typeOfKey } from '../platform/storage/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

const findOwner = query(
  'cli/file_owner',
  { key: c.text },
  { kind: c.text, username: c.nullable(c.text), domain: c.nullable(c.text), status_id: c.nullable(c.id) },
)

/** `media lookup`: the page on which a stored file is shown, by its URL. @throws CliError */
export async function lookup(context: CliContext, text: string): Promise<void> {
  if (!URL.canParse(text)) throw new CliError('Invalid URL')
  const { database, storage, config } = await context.services()
  const storageUrl = storage.url('')
  const [path = text] = new URL(text).href.split(/[?#]/, 1)
  const key = path.startsWith(storageUrl) ? path.slice(storageUrl.length) : ''
  if (typeOfKey(key) === undefined) throw new CliError('Not a media URL')
  const owner = await database.one(findOwner, { key })
  if (!owner) throw new CliError('Cannot find corresponding record')
  const isOfStatus = owner.kind === 'attachment'
  if (owner.username === null || (isOfStatus && owner.status_id === null))
    throw new CliError('No public URL for this type of record')
  const handle = owner.domain === null ? owner.username : `${owner.username}@${owner.domain}`
  context.print(`${config.publicUrl}/@${handle}${isOfStatus ? `/${owner.status_id}` : ''}`)
}
