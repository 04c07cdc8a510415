import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { SILENT } from './silent_statements.ts'

const SQL = fileURLToPath(new URL('../../../sql/', import.meta.url))
const WRITE = /\b(?:insert into|delete from|update) (?!set\b|of\b)[a-z_]+/
const CALL = /\b([a-z_]+)\(/g

const read = (file: string): string => readFileSync(path.join(SQL, file), 'utf8').replaceAll(/--.*$/gm, '')

const functions = new Map(
  readdirSync(path.join(SQL, 'functions')).map(file => [path.basename(file, '.sql'), read(`functions/${file}`)]),
)

/** Whether a text, or a function that it calls, logs an event. */
function logs(text: string, seen = new Set<string>()): boolean {
  if (text.includes('insert into events')) return true
  return [...text.matchAll(CALL)].some(([, name = '']) => {
    const called = functions.get(name)
    if (called === undefined || seen.has(name)) return false
    seen.add(name)
    return logs(called, seen)
  })
}

test('each statement that writes logs an event, or is listed with the reason why nothing follows from it', async () => {
  const names = readdirSync(path.join(SQL, 'queries'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.sql'))
    .map(name => name.slice(0, -'.sql'.length))
  const silent = names.filter(name => {
    const text = read(`queries/${name}.sql`)
    return WRITE.test(text) && !logs(text)
  })
  const listed = Object.keys(SILENT)
  assert.deepEqual(
    silent.filter(name => !listed.some(start => name.startsWith(start))),
    [],
  )
  assert.deepEqual(
    listed.filter(start => !silent.some(name => name.startsWith(start))),
    [],
    'each entry of the list is needed',
  )
})
