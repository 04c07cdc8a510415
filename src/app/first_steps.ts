import { styleText } from 'node:util'
import { hasOwner, makeOwnerLink, OWNER_LINK_HOURS } from '../auth/owner_setup/index.ts'
import type { Config } from '../core/config.ts'
import type { Logger } from '../core/logger.ts'
import { openDatabase } from '../platform/database/index.ts'
import type { Started } from './server.ts'

/** Where the hints go: `write` gets whole lines. */
export interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

async function withDatabase<T>(
  { connection }: Started,
  work: (database: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ connection, poolSize: 1 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/**
 * Tells the operator in words how to go on: on a terminal where the server is, a one-time link for
 * the owner's account while there is none, and where to read on. Elsewhere, where a link would stay
 * in log files, the log names the command that prints it.
 */
export async function showFirstSteps(
  config: Config,
  server: Started,
  logger: Logger,
  terminal: Terminal,
): Promise<void> {
  if (terminal.isTTY !== true) {
    if (!(await withDatabase(server, hasOwner)))
      logger.info(
        { command: 'ctl owner-link' },
        'there is no owner yet; the command prints a link that makes the account',
      )
    return
  }
  const link = await withDatabase(server, database => makeOwnerLink(database, config.publicUrl))
  const strong = (text: string): string => styleText('bold', text)
  const url = (text: string): string => styleText(['underline', 'cyan'], text)
  const lines = [
    `${strong('Millrace runs')} at ${url(server.url)} (it listens on ${config.bind}:${config.port}); Ctrl-C stops it.`,
  ]
  if (link !== undefined)
    lines.push(
      `${strong("Make the owner's account")} with this link, once, within ${OWNER_LINK_HOURS} hours: ${url(link)}`,
      `${strong('Read on')} in README.md to connect a client, and in OPERATING.md to run it for others.`,
    )
  terminal.write(`\n${lines.join('\n')}\n\n`)
}
