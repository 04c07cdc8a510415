import { requestArchive } from '../../auth/data_export/index.ts'
import type { CliContext } from '../cli_context.ts'
import { findUser } from './user.ts'

/**
 * `accounts backup`: enqueues an archive, however recent the last one is; an e-mail follows.
 * @throws CliError
 */
export async function backup(context: CliContext, username: string): Promise<void> {
  const { database } = await context.services()
  const user = await findUser(database, username)
  await requestArchive(database, user.user_id, { moderator: null })
  context.print('OK')
}
