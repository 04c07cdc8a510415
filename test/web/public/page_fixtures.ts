import assert from 'node:assert/strict'
import type { SettingKey } from '../../../src/platform/settings/index.ts'
import { Browser, readHtml, type Page } from '../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { sql } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'

/** Changes a setting as another process does, and waits until the pages show it. */
export async function changeSetting(
  server: ServerAddress,
  key: SettingKey,
  value: unknown,
  isKnown: () => Promise<boolean>,
): Promise<void> {
  await sql(
    server,
    `with changed as (
       insert into settings (key, value) values ($1, $2::jsonb) on conflict (key) do update set value = excluded.value returning key
     ) insert into events (kind, data) select 'settings.changed', jsonb_build_object('key', key) from changed`,
    [key, JSON.stringify(value)],
  )
  const until = performance.now() + 30_000
  while (!(await isKnown())) assert.ok(performance.now() < until, `the server did not apply ${key}`)
}

/** The contents of the `meta` elements of a page, by property or name. */
export function metaOf({ text }: { text: string }): Record<string, string[]> {
  const meta: Record<string, string[]> = {}
  for (const [, name = '', content = ''] of text.matchAll(/<meta\s+(?:property|name)="([^"]+)"\s+content="([^"]*)"/g))
    (meta[name] ??= []).push(readHtml(content))
  return meta
}

/** Creates a user with a signed-in browser. */
export async function signedIn(server: ServerAddress, name: string): Promise<{ browser: Browser; id: string }> {
  const { email, username } = await personWithPassword(server, name)
  const browser = new Browser(server)
  assert.equal((await browser.signIn(email, PASSWORD)).status, 303)
  const [row] = await sql(server, 'select id::text as id from accounts where username = $1', [username])
  return { browser, id: String(row?.['id']) }
}

/** The ids of the statuses on a page, in their order. */
export const statusesOn = ({ text }: Page): string[] =>
  [...text.matchAll(/<footer>\s*<a href="[^"]*\/(\d+)"/g)].map(([, id = '']) => id)
