import type { Command } from 'commander'
import { sendCommand } from '../app/control.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

async function restart(context: CliContext): Promise<void> {
  const { dataDir } = await context.config()
  const response = await sendCommand(dataDir, 'restart')
  if (!response) throw new CliError(`No server runs with DATA_DIR ${dataDir}`)
  if ('refused' in response) throw new CliError(`The server serves on as before: ${response.refused}`)
  const { processes, durationMs } = response.restarted
  const what = processes === 1 ? 'a new process serves' : `${processes} new processes serve`
  context.print(`OK, ${what} after ${(durationMs / 1000).toFixed(1)} s, and the previous ones have ended`)
}

/** The command that restarts the running server. */
export function addRestart(program: Command, context: CliContext): void {
  program
    .command('restart')
    .description('restart without interruption: new processes with the current code and ENV_FILE take over')
    .action(() => restart(context))
}
