import { purgeEmojis, type PurgedEmojis } from '../moderation/tasks/index.ts'
import type { CliContext } from './cli_context.ts'
import { openProgress } from './progress.ts'

export interface PurgeOptions {
  remoteOnly?: boolean
  suspendedOnly?: boolean
}

/** `emoji purge`: deletes all custom emojis, those of other servers, or those of suspended ones. */
export async function purge(context: CliContext, options: PurgeOptions): Promise<void> {
  const services = await context.services()
  const scope: PurgedEmojis = options.suspendedOnly ? 'suspended' : options.remoteOnly ? 'remote' : 'all'
  const progress = openProgress(context, 'emojis')
  await purgeEmojis(services, null, scope, { each: amount => progress.add(amount) })
  progress.end()
  context.print('OK')
}
