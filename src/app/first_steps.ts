import { styleText } from 'node:util'
import { hasOwner, makeOwnerLink, OWNER_LINK_HOURS } from '../auth/owner_setup/index.ts'
import type { Config } from '../core/config.ts'
import type { Logger } from '../core/logger.ts'
import { openDatabase } from '../platform/database/index.ts'
import type { Started } from './server.ts'

type Server = Pick<Started, 'connection' | 'url'>

/** Where the hints go: `write` gets whole lines. */
export interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

async function withDatabase<T>(
  { connection }: Server,
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
 * Shows the operator the next steps. A terminal gets the server's address and, while there is no
 * owner, a one-time link that makes the owner's account. Elsewhere the link would stay in log
 * files, so the log names the command that prints it. Without a database there are no hints; the
 * server still starts.
 */
export async function showFirstSteps(
  config: Config,
  server: Server,
  logger: Logger,
  terminal: Terminal,
): Promise<void> {
  try {
    await show(config, server, logger, terminal)
  } catch (error) {
    logger.warn({ err: error }, 'could not find out whether there is an owner; `ctl owner-link` does')
  }
}

async function show(config: Config, server: Server, logger: Logger, terminal: Terminal): Promise<void> {
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
