import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'tap'
import { createLogger } from '../../src/core/logger.ts'
import { formatLogLine } from '../../src/core/terminal_log.ts'

test('a line of the log is shown in words, with fields and the stack of an error', async () => {
  const lines: string[] = []
  const logger = createLogger({ logLevel: 'debug' }, { write: line => void lines.push(formatLogLine(line)) })
  logger.info({ url: 'http://localhost:3000', durationMs: 12, note: 'two words' }, 'listening')
  logger.error({ err: new Error('broken'), part: 'mail' }, 'recovered')
  logger.warn({ name: 'evil\u001b[2J\nname' }, 'a name')
  const [first = '', second = '', third = ''] = lines.map(line => stripVTControlCharacters(line))
  assert.match(first, /^\d\d:\d\d:\d\d info  listening url=http:\/\/localhost:3000 durationMs=12 note="two words"\n$/)
  assert.match(second, /^\d\d:\d\d:\d\d error recovered part=mail\n {4}Error: broken\n {8}at /)
  assert.match(third, /^\d\d:\d\d:\d\d warn  a name name=[^\n]*\n$/)
  assert.ok(!lines[2]?.includes('\u001b[2J'), 'control characters of a value reach the terminal')
  assert.equal(formatLogLine('no JSON\n'), 'no JSON\n')
})
