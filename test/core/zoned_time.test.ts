import assert from 'node:assert/strict'
import { test } from 'tap'
import { clockTime, isTimeZone, timeAt } from '../../src/core/zoned_time.ts'

test('a time of the clock in a zone is found, and shown again', async () => {
  for (const [clock, zone, time] of [
    ['2030-01-31T12:00', 'UTC', '2030-01-31T12:00:00.000Z'],
    ['2030-01-31T12:00', 'Europe/Berlin', '2030-01-31T11:00:00.000Z'],
    ['2030-07-31T12:00', 'Europe/Berlin', '2030-07-31T10:00:00.000Z'],
    ['2030-01-01T00:15', 'Pacific/Kiritimati', '2029-12-31T10:15:00.000Z'],
    ['2030-01-31T23:30', 'America/St_Johns', '2030-02-01T03:00:00.000Z'],
    ['2030-01-31T05:45', 'Asia/Kathmandu', '2030-01-31T00:00:00.000Z'],
  ] as const) {
    assert.equal(timeAt(clock, zone)?.toISOString(), time, `${clock} ${zone}`)
    assert.equal(clockTime(new Date(time), zone), clock, `${time} ${zone}`)
  }
})

test('changes of the clock: of two times the earlier, and a time left out moves on', async () => {
  // In Berlin the clock goes back from 3 to 2 on October 27, and forward from 2 to 3 on March 31.
  assert.equal(timeAt('2030-10-27T02:30', 'Europe/Berlin')?.toISOString(), '2030-10-27T00:30:00.000Z')
  assert.equal(timeAt('2030-03-31T02:30', 'Europe/Berlin')?.toISOString(), '2030-03-31T01:30:00.000Z')
  assert.equal(timeAt('2030-03-31T03:30', 'Europe/Berlin')?.toISOString(), '2030-03-31T01:30:00.000Z')
  assert.equal(timeAt('2030-03-31T01:59', 'Europe/Berlin')?.toISOString(), '2030-03-31T00:59:00.000Z')
})

test('what is no time of the clock, or no zone, is refused', async () => {
  for (const text of ['', 'soon', '2030-02-30T12:00Z', '2030-13-01T12:00', '2030-01-31', '2030-01-31T25:00'])
    assert.equal(timeAt(text, 'UTC'), undefined, text)
  assert.deepEqual(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone), [true, true, false, false])
})
