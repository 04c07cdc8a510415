import { purgeEmojis, type PurgedEmojis } from '../moderation/tasks/index.ts'
import type { CliContext } from './cli_context.ts'
import { openProgress } from './progress.ts'

export interface PurgeOptions {
  remoteOnly?: boolean
  suspendedOnly?: boolean
}

/** `emoji purge`: deletes all custom emojis, or those of other servers, or of suspended ones. */
export async function purge(session: CliContext, options: PurgeOptions): Promise<void> {
  const services = await session.services()
  const which: PurgedEmojis = options.suspendedOnly ? 'suspended' : options.remoteOnly ? 'remote' : 'all'
  const progress = openProgress(session, 'emojis')
  await purgeEmojis(services, null, which, { each: amount => progress.add(amount) })
  progress.end()
  session.print('OK')
}
