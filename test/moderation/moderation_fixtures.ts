import type { Test } from 'tap'
import { createCommandLine } from '../cli/command.ts'
import { person, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

/**
 * The command line on the database of the server: `await ctl('moderation', 'act', …)` returns its
 * output.
 */
export async function commandLine(t: Test, server: TestServer): Promise<(...given: string[]) => Promise<string>> {
  const ctl = await createCommandLine(t, server.databaseUrl)
  return (...given) => ctl.ok(...given)
}

/** Creates a user whose role manages reports. */
export async function moderator(t: Test, server: TestServer, user: Record<string, unknown> = {}): Promise<Person> {
  const made = await person(server, 'mod', { roleId: 1, user })
  t.after(() => made.close())
  return made
}
