import assert from 'node:assert/strict'
import { Subject } from 'rxjs'
import { test } from 'tap'
import { readConfig } from '../../../src/core/config.ts'
import { createMetrics } from '../../../src/platform/metrics/index.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import type { Services } from '../../../src/platform/services.ts'
import { cardFragments } from '../../../src/statuses/preview_cards/fragment.ts'
import { loggedEvent } from '../../support/logged_event.ts'

/** A row of a card whose author has the id 7. */
const row = (domains: readonly string[]) => ({
  id: '1',
  url: 'https://paper.example/1',
  page_url: 'https://paper.example/1',
  creator_account_id: '7',
  creator_domains: domains,
  image_key: null,
})

/** Cards whose rows are answered by `answer`, which may tell of events meanwhile. */
function openCards(answer: (tell: (event: LoggedEvent) => void) => unknown) {
  const invalidations$ = new Subject<LoggedEvent>()
  const database = { run: async () => [answer(event => invalidations$.next(event))] }
  const services: unknown = {
    config: readConfig({ CACHE_MB: '16' }),
    metrics: createMetrics(),
    events: { invalidations$ },
    onClose: () => {},
    database,
  }
  return cardFragments(services as Services)
}

test('an author who withdraws consent while a card is being loaded is not shown as confirmed', async () => {
  let reads = 0
  const cards = openCards(tell => {
    reads += 1
    if (reads > 1) return row([])
    tell(loggedEvent('account.changed', { account_id: '7', data: { change: 'profile' } }))
    return row(['paper.example'])
  })
  assert.equal((await cards.one('1'))?.isConfirmed, false)
  assert.equal(cards.peek('1')?.isConfirmed, false)
  assert.equal(reads, 2)
})

test('changes of other accounts do not load a card again', async () => {
  let reads = 0
  const cards = openCards(tell => {
    reads += 1
    tell(loggedEvent('account.changed', { account_id: '8', data: { change: 'profile' } }))
    return row(['paper.example'])
  })
  assert.equal((await cards.one('1'))?.isConfirmed, true)
  assert.equal(reads, 1)
})
