import assert from 'node:assert/strict'
import { test } from 'tap'
import type { HttpResponse } from 'uWebSockets.js'
import type { Sink, StreamBody } from '../../../src/platform/http/response.ts'
import { stream } from '../../../src/platform/http/stream.ts'

/** A response whose client takes nothing until it reads, and the sink of a stream to it. */
function open() {
  const client = { reads: false, closed: false }
  const response = {
    cork: (write: () => void) => write(),
    write: () => client.reads,
    onWritable: () => undefined,
    close: () => {
      client.closed = true
    },
  }
  let opened: Sink | undefined
  const body: StreamBody = {
    open(sink) {
      opened = sink
      return () => undefined
    },
    discard: () => undefined,
  }
  stream({ response: response as unknown as HttpResponse, aborted: false }, body, () => undefined)
  assert.ok(opened)
  return { client, sink: opened }
}

test('a text of any size is sent to a client for which nothing waits', async () => {
  const { client, sink } = open()
  assert.equal(sink.write('x'.repeat(600_000)), true)
  client.reads = true
  assert.equal(sink.write('next'), true)
  client.reads = false
  assert.equal(sink.write('x'.repeat(600_000)), true)
  assert.equal(client.closed, false)
})

test('a client for which more than 256 kB wait is disconnected', async () => {
  const { client, sink } = open()
  for (let sent = 0; sent < 5; sent += 1) assert.equal(sink.write('x'.repeat(50_000)), true)
  assert.equal(sink.write('x'.repeat(50_000)), false)
  assert.equal(client.closed, true)
})
