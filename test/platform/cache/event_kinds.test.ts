import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { EVENTS } from '../../../src/platform/events/index.ts'

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url))

/** Kinds that invalidate nothing in memory, with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  'action.logged': 'the audit log is read each time',
  'appeal.created': 'only its author and moderators see an appeal, which is read each time',
  'collection.changed': 'collections are read each time; answers to people who are not signed in know every kind',
  'conversation.changed': 'conversations are read each time',
  'featured_tags.changed': 'they are read each time; answers to people who are not signed in know every kind',
  'notifications.merged': 'it is only streamed',
  'report.created': 'only moderators see reports, which are read each time',
  'report.updated': 'only moderators see reports, which are read each time',
}

/**
 * The kinds that stand as members in the files that follow events to keep what is in memory right.
 */
function followedKinds(): Set<string> {
  const texts = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.startsWith('platform/events/') && !name.includes('streaming/'))
    .map(name => readFileSync(path.join(SOURCE, name), 'utf8'))
    .filter(text => /\b(?:eventCache|onEvents|openReloaded)\b/.test(text))
  const named =
    /^\s*(?:drops: \{ )?'([a-z_]+\.[a-z_]+)':|, '([a-z_]+\.[a-z_]+)': |openReloaded\(\w+\$, '([a-z_]+\.[a-z_]+)'/gm
  return new Set(texts.flatMap(text => [...text.matchAll(named)].map(found => found[1] ?? found[2] ?? found[3] ?? '')))
}

test('each kind of event is followed by something that keeps state in memory, or listed as harmless', async () => {
  const followed = followedKinds()
  const unheard = Object.keys(EVENTS).filter(kind => !followed.has(kind) && !(kind in HARMLESS))
  assert.deepEqual(unheard, [])
  assert.deepEqual(
    Object.keys(HARMLESS).filter(kind => followed.has(kind) || !(kind in EVENTS)),
    [],
  )
})
