import assert from 'node:assert/strict'
import type { Test } from 'tap'
import { readText } from './staff_fixtures.ts'
import { sql } from '../support/people.ts'
import type { Call, StaffAction } from './staff_action.ts'
import { createWorld, nothing, type Subject, type World } from './staff_actions_world.ts'

/** Replaces the placeholders of a text by the values of the subject. */
const filled = (text: string, subject: Subject): string =>
  text.replaceAll(/:([a-zA-Z]+)/g, (whole, name: string) => subject[name] ?? whole)

const partsOf = (call: Call, subject: Subject): { method: string; path: string; fields: Record<string, string> } => {
  const [request, given] = typeof call === 'string' ? [call, {}] : call
  const [method = '', path = ''] = request.split(' ')
  const fields = Object.entries(given).map(([name, value]) => [name, filled(value, subject)])
  return { method, path: filled(path, subject), fields: Object.fromEntries(fields) as Record<string, string> }
}

async function callApi({ owner }: World, call: Call, subject: Subject): Promise<void> {
  const { method, path, fields } = partsOf(call, subject)
  const response = await owner.request(method, path, { body: fields })
  assert.equal(response.status, 200, `${method} ${path}: ${response.text}`)
}

async function sendForm({ browser, csrf }: World, call: Call, subject: Subject): Promise<void> {
  const { method, path, fields } = partsOf(call, subject)
  const { ids, status_ids: statuses, ...others } = fields
  const response = await browser.post(path, {
    authenticity_token: csrf,
    ...(method !== 'POST' && { _method: method.toLowerCase() }),
    ...others,
    ...(ids !== undefined && { 'ids[]': ids }),
    ...(statuses !== undefined && { 'status_ids[]': statuses }),
  })
  assert.equal(response.status, 303, `${method} ${path}: ${readText(response).slice(0, 300)}`)
}

/** The entries of the log after one, each as its author, the action and the type. */
async function entriesAfter({ server }: World, last: string): Promise<string[]> {
  const rows = await sql(
    server,
    `select concat_ws(' ', coalesce(account_id::text, '-'), action, target_type) as entry from admin_action_logs where id > $1`,
    [last],
  )
  return rows.map(found => String(found['entry']))
}

async function lastEntry({ server }: World): Promise<string> {
  const [found] = await sql(server, 'select coalesce(max(id), 0)::text as id from admin_action_logs')
  return String(found?.['id'])
}

/**
 * Takes each action in each of its ways, and checks that the audit log has an entry of the one who
 * did it, or none where the contract wants none; returns the faults.
 */
export async function walk(t: Test, actions: readonly StaffAction[]): Promise<string[]> {
  const world = await createWorld(t)
  const faults: string[] = []
  const check = async (
    what: string,
    author: string,
    logs: string | false,
    act: () => Promise<unknown>,
  ): Promise<void> => {
    const last = await lastEntry(world)
    try {
      await act()
    } catch (error) {
      faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      return
    }
    const entries = await entriesAfter(world, last)
    const isRight = logs === false ? entries.length === 0 : entries.includes(`${author} ${logs}`)
    if (!isRight) faults.push(`${what}: ${entries.join(', ') || 'no entry'}`)
  }
  for (const { does, logs, apiLogs = logs, make = nothing, api = [], page = [], ctl = [], because } of actions) {
    if (logs === undefined || apiLogs === undefined || because?.unwalked !== undefined) continue
    for (const call of api) {
      const subject = await make(world)
      await check(`${does} by the API`, world.owner.id, apiLogs, () => callApi(world, call, subject))
    }
    for (const call of page) {
      const subject = await make(world)
      await check(`${does} on a page`, world.owner.id, logs, () => sendForm(world, call, subject))
    }
    for (const line of ctl) {
      const subject = await make(world)
      const given = line.split(' ').map(part => filled(part, subject))
      await check(`${does} by ctl`, '-', logs, () => world.ctl.ok(...given))
    }
  }
  return faults
}
