import { requestArchive } from '../../auth/data_export/index.ts'
import type { CliContext } from '../cli_context.ts'
import { findUser } from './user.ts'

/** `accounts backup`: has an archive made, however short ago the last one was; a letter follows. @throws Refusal */
export async function backup(session: CliContext, username: string): Promise<void> {
  const { database } = await session.services()
  const user = await findUser(database, username)
  await requestArchive(database, user.user_id)
  session.say('OK')
}
