import type { Command } from 'commander'
import { sendCommand } from '../app/control.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

async function restart(session: CliContext): Promise<void> {
  const { dataDir } = await session.config()
  const answer = await sendCommand(dataDir, 'restart')
  if (!answer) throw new CliError(`No server runs with DATA_DIR ${dataDir}`)
  if ('refused' in answer) throw new CliError(`The server serves on as before: ${answer.refused}`)
  const { processes, durationMs } = answer.restarted
  const what = processes === 1 ? 'a new process serves' : `${processes} new processes serve`
  session.print(`OK, ${what} after ${(durationMs / 1000).toFixed(1)} s, and the previous ones have ended`)
}

/** The running server. */
export function addRestart(program: Command, session: CliContext): void {
  program
    .command('restart')
    .description('let new processes take over, with the present code and ENV_FILE; nobody is interrupted')
    .action(() => restart(session))
}
