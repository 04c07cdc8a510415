import { Argument, type Command } from 'commander'
import { ownUrl } from '../platform/http/own_url.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

const ANSWER_MS = 8_000

/** @throws CliError with what is wrong */
async function check(session: CliContext, part: string | undefined): Promise<void> {
  const url = `${ownUrl(await session.config())}/health${part === undefined ? '' : `/${part}`}`
  let answer: Response
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
  } catch (error) {
    throw new CliError(`No server responds at ${url}`, { cause: error })
  }
  const text = await answer.text()
  if (answer.status !== 200) throw new CliError(`${url} responds with ${answer.status}: ${text}`)
  session.print(text)
}

/** The health of the running server, for supervisors of containers. */
export function addHealthy(program: Command, session: CliContext): void {
  program
    .command('healthy')
    .addArgument(new Argument('[part]', 'only this part').choices(['database', 'disk', 'jobs']))
    .description('whether the server of this environment runs and can serve: exit code 0 or 1')
    .action((part: string | undefined) => check(session, part))
}
