import { Argument, type Command } from 'commander'
import { ownUrl } from '../platform/http/own_url.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

const RESPONSE_TIMEOUT_MS = 8_000

/** @throws CliError if the server does not respond or is not healthy */
async function check(context: CliContext, part: string | undefined): Promise<void> {
  const url = `${ownUrl(await context.config())}/health${part === undefined ? '' : `/${part}`}`
  let response: Response
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) })
  } catch (error) {
    throw new CliError(`No server responds at ${url}`, { cause: error })
  }
  const text = await response.text()
  if (response.status !== 200) throw new CliError(`${url} responds with ${response.status}: ${text}`)
  context.print(text)
}

/** The command that checks the health of the running server, for supervisors of containers. */
export function addHealthCheck(program: Command, context: CliContext): void {
  program
    .command('healthy')
    .addArgument(new Argument('[part]', 'check only this part').choices(['database', 'disk', 'jobs']))
    .description('check whether the server of this environment runs and can serve: exit code 0 or 1')
    .action((part: string | undefined) => check(context, part))
}
