import assert from 'node:assert/strict'
import type { Test } from 'tap'
import { Browser, readHtml, type Page } from '../support/browser.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import { sql, type Person } from '../support/people.ts'
import type { ServerAddress } from '../support/server.ts'

/** The ids of the roles of a new server. */
export const ROLES = { moderator: 1, admin: 2, owner: 3 } as const

/** Somebody with a role, signed in with a browser. */
export interface StaffMember {
  readonly person: Person
  readonly browser: Browser
}

/** Makes somebody with a role, or without one, and signs them in. */
export async function staffMember(
  t: Test,
  server: ServerAddress,
  role: keyof typeof ROLES | null,
): Promise<StaffMember> {
  const made = await personWithPassword(server, role ?? 'member', role === null ? {} : { roleId: ROLES[role] })
  t.after(() => made.close())
  const browser = new Browser(server)
  await browser.signIn(made.email, PASSWORD)
  return { person: made, browser }
}

/** The text of a page, without tags and with single spaces. */
export const readText = ({ text }: Page): string => readHtml(text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).trim()

/** The latest entries of the log of actions: action, type of the target, its name. */
export async function loggedActions(server: ServerAddress, moderator: Person): Promise<string[]> {
  const rows = await sql(
    server,
    `select action || ' ' || target_type || ' ' || target_name as entry from admin_action_logs
     where account_id = $1 order by id`,
    [moderator.id],
  )
  return rows.map(row => String(row['entry']))
}

/** Anonymous visitors are sent to sign-in; a member without a role is refused. */
export async function assertOnlyStaff(t: Test, server: ServerAddress, paths: readonly string[]): Promise<void> {
  const { browser } = await staffMember(t, server, null)
  for (const path of paths) {
    const anonymous = await new Browser(server).get(path)
    assert.deepEqual([anonymous.status, anonymous.location], [302, '/auth/sign_in'], path)
    assert.equal((await browser.get(path)).status, 403, path)
  }
}

/** A form without its CSRF token is refused. */
export async function assertCsrf(browser: Browser, path: string, fields: Record<string, string> = {}): Promise<void> {
  assert.equal((await browser.post(path, fields)).status, 422, path)
}
