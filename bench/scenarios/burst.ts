import { observe, SERVER, serverOf } from '../measure.ts'
import type { Scenario } from '../scenario.ts'
import { findListeners, messageFigures, openSockets, TEXT } from './socket_pool.ts'

const WAIT_MS = 30_000
const BURST = 'burst'
const BURST_SOCKETS = 2000
const BURST_RATE = 100

export const burst: Scenario = {
  name: BURST,
  summary: '100 public statuses a second to 2,000 sockets: none may be lost',
  needs: 'people',
  group: 'streaming',
  goals: [{ scenario: BURST, text: 'none lost', subject: SERVER, figure: 'lost', max: 0 }],
  async open(run) {
    const { options, target } = run
    const { author, tokens } = await findListeners(run)
    const sockets = options.sockets ?? BURST_SOCKETS
    const { url } = target
    return {
      async measure(round) {
        run.progress(`${BURST}: ${sockets} sockets, round ${round} of ${options.repeat} …`)
        const hall = await openSockets({ url, stream: 'public', tokens, sockets, event: 'update', withIds: false })
        try {
          const pace = { ratePerSecond: options.rate ?? BURST_RATE }
          const measureMs = options.seconds * 1000
          const order = {
            url,
            token: author,
            texts: [TEXT],
            visibility: 'public',
            audience: sockets,
            waitMs: WAIT_MS,
            pace,
            measureMs,
          } as const
          const { value, figures } = await observe(serverOf(run), () => hall.post(order))
          return [
            {
              scenario: BURST,
              subject: SERVER,
              round,
              unit: 'messages',
              figures: { ...messageFigures(run, BURST, value), ...figures },
            },
          ]
        } finally {
          hall.close()
        }
      },
      close: () => Promise.resolve(),
    }
  },
}
