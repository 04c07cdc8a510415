import { requestArchive } from '../../auth/data_export/index.ts'
import type { CliContext } from '../cli_context.ts'
import { findUser } from './user.ts'

/**
 * `accounts backup`: enqueues an archive, regardless of the age of the last one.
 * @throws CliError
 */
export async function backup(context: CliContext, username: string): Promise<void> {
  const { database } = await context.services()
  const user = await findUser(database, username)
  await requestArchive(database, user.user_id, { moderator: null })
  context.print('OK')
}
