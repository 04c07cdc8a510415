import assert from 'node:assert/strict'
import { test } from 'tap'
import { createBodyMemory } from '../../../src/platform/http/body_memory.ts'
import { createSlowSenders } from '../../../src/platform/http/slow_senders.ts'

const MEGABYTE = 1024 * 1024
const unlimited = createBodyMemory({ limitBytes: Infinity, ownerLimitBytes: Infinity })

/** Slow senders, and their connections: how often each was given more time. */
function scene() {
  const senders = createSlowSenders()
  const start = performance.now() + 100
  return {
    check: (seconds: number) => senders.check(start + seconds * 1000),
    send(address: string, memoryBytes = 0) {
      const connection = { aborted: false, resumed: 0, paused: 0 }
      const response = { pause: () => (connection.paused += 1), resume: () => (connection.resumed += 1) }
      const memory = unlimited.open(address)
      memory.take(memoryBytes)
      const reply = {
        response,
        get aborted() {
          return connection.aborted
        },
      }
      return { connection, arrival: senders.watch(reply, address, memory) }
    },
  }
}

test('a slow sender gets more time while its body keeps coming, for an hour', async () => {
  const { check, send } = scene()
  const { connection, arrival } = send('a')
  check(1)
  assert.equal(connection.resumed, 0, 'most bodies are whole by then')
  check(50)
  assert.equal(connection.resumed, 1)
  arrival.progress()
  check(59)
  check(118)
  assert.equal(connection.resumed, 3)
  check(120)
  assert.equal(connection.resumed, 3, 'nothing has come for a minute')
  arrival.progress()
  check(3599)
  assert.equal(connection.resumed, 4)
  arrival.progress()
  check(3601)
  assert.equal(connection.resumed, 4)
})

test('a sender whose body is not read at the moment is not silent, and stays paused', async () => {
  const { check, send } = scene()
  const { connection, arrival } = send('a')
  arrival.pause()
  check(50)
  check(100)
  assert.deepEqual(connection, { aborted: false, paused: 3, resumed: 0 })
  arrival.resume()
  check(150)
  assert.deepEqual(connection, { aborted: false, paused: 4, resumed: 2 })
})

test('connections that are closed, or have sent all, are left alone', async () => {
  const { check, send } = scene()
  const [closed, whole] = [send('a'), send('a')]
  closed.connection.aborted = true
  whole.arrival.end()
  check(10)
  closed.arrival.resume()
  closed.arrival.pause()
  assert.equal(closed.connection.paused + whole.connection.paused, 0)
})

test('slow senders are limited per address and in all, by number and by memory', async () => {
  const { check, send } = scene()
  const given = (sent: readonly { connection: { resumed: number } }[]): number =>
    sent.filter(({ connection }) => connection.resumed > 0).length
  const many = Array.from({ length: 40 }, () => send('many'))
  const large = Array.from({ length: 10 }, () => send('large', MEGABYTE))
  check(10)
  assert.deepEqual([given(many), given(large)], [32, 8])
  many[0]?.arrival.end()
  check(13)
  assert.equal(given(many), 33, 'the next oldest takes the place')
  const others = Array.from({ length: 40 }, (_, index) => send(`other ${index}`, MEGABYTE))
  check(20)
  assert.equal(given(others), 24)
  const more = Array.from({ length: 1000 }, (_, index) => send(`more ${index}`))
  check(30)
  assert.equal(given(more), 1000 - 32 - 8 - 24)
})
