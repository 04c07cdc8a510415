import { deleteEmojis } from '../media/custom_emojis/index.ts'
import { c, query } from '../platform/database/index.ts'
import type { CliContext } from './cli_context.ts'
import { openProgress } from './progress.ts'

const findSome = query('cli/emojis_to_purge', { remote_only: c.boolean, suspended_only: c.boolean }, { id: c.id })

export interface PurgeOptions {
  remoteOnly?: boolean
  suspendedOnly?: boolean
}

/** `emoji purge`: deletes all custom emojis, or those of other servers, or of suspended ones. */
export async function purgeEmojis(session: CliContext, options: PurgeOptions): Promise<void> {
  const services = await session.services()
  const which = { remote_only: options.remoteOnly === true, suspended_only: options.suspendedOnly === true }
  const progress = openProgress(session, 'emojis')
  for (;;) {
    const ids = (await services.database.run(findSome, which)).map(({ id }) => id)
    if (ids.length === 0 || (await deleteEmojis(services, null, ids)) === 0) break
    progress.add(ids.length)
  }
  progress.end()
  session.print('OK')
}
