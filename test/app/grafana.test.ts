import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { Client } from '../support/client.ts'
import { startServer } from '../support/server.ts'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

interface Dashboard {
  readonly panels: readonly {
    readonly id: number
    readonly title: string
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}

const NAME = /\b(?:millrace|process|nodejs)_[a-z0-9_]+/g

test('the metrics of the Grafana dashboard and of the documents exist', async t => {
  const backups = await mkdtemp(path.join(tmpdir(), 'millrace-backups-'))
  t.after(() => rm(backups, { recursive: true, force: true }))
  const server = await startServer(t, { env: { BACKUP_DIR: backups } })
  const { text } = await new Client(server).get('/metrics')
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  const exists = (name: string): boolean =>
    types.has(name) || types.get(name.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram'

  const { panels } = JSON.parse(read('.grafana/millrace.json')) as Dashboard
  const shown = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr.match(NAME) ?? []))
  assert.ok(shown.length > 30)
  assert.deepEqual(
    shown.filter(name => !exists(name)),
    [],
  )
  // A name that ends in `_` stands for several.
  const told = ['OPERATING.md', 'DECISIONS.md', 'bench/README.md'].flatMap(
    file => read(file).match(/(?<=`)millrace_[a-z0-9_]+[a-z0-9](?=[`{])/g) ?? [],
  )
  assert.ok(told.length > 5)
  assert.deepEqual(
    told.filter(name => !exists(name)),
    [],
  )
})

test('the panels of the Grafana dashboard do not cover each other', async () => {
  const { panels } = JSON.parse(read('.grafana/millrace.json')) as Dashboard
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const covered = new Map<string, string>()
  for (const { title, gridPos } of panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.equal(covered.get(`${x} ${y}`), undefined, title)
        covered.set(`${x} ${y}`, title)
      }
    }
    assert.ok(gridPos.x + gridPos.w <= 24, title)
  }
})
