import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Observable } from 'rxjs'
import type { LoggedEvent } from '../platform/events/index.ts'
import { wholeNumber } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { parseSamples, type Samples } from './top/samples.ts'
import { formatSpan } from './top/view.ts'
import { ownUrl } from '../platform/http/own_url.ts'

interface TopOptions {
  every: number
  number: number
  url?: string
}

const RESPONSE_TIMEOUT_MS = 10_000
/** Moves the cursor to the upper left corner and clears the screen. */
const CLEAR = '\u001B[H\u001B[2J'

/** @throws CliError with advice for the operator */
async function readSamples(url: string): Promise<Samples> {
  let response: Response
  try {
    response = await fetch(new URL('/metrics', url), { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) })
  } catch {
    throw new CliError(`No server responds at ${url}: start it, or name another with --url`)
  }
  const text = await response.text()
  if (response.status !== 200) throw new CliError(`${url} does not show its metrics to this address: see METRICS_FROM`)
  return parseSamples(text, performance.now())
}

/** Counts events by kind between two calls. */
function countEvents(log$: Observable<LoggedEvent>): () => Map<string, number> {
  let counts = new Map<string, number>()
  log$.subscribe(({ kind }) => counts.set(kind, (counts.get(kind) ?? 0) + 1))
  return () => {
    const counted = counts
    counts = new Map()
    return counted
  }
}

async function showTop(context: CliContext, options: TopOptions): Promise<void> {
  const url = options.url ?? ownUrl(await context.config())
  let before = await readSamples(url)
  const { events } = await context.services()
  const takeCounts = countEvents(events.log$)
  // Without a number it runs until Ctrl-C.
  for (let shown = 0; options.number === 0 || shown < options.number; shown += 1) {
    await delay(options.every * 1000)
    const after = await readSamples(url)
    const lines = formatSpan({ before, after, events: takeCounts() })
    context.print([`${context.showsProgress ? CLEAR : ''}Millrace at ${url}`, '', ...lines, ''].join('\n'))
    before = after
  }
}

/** The command that shows a live view of a running server. */
export function addTop(program: Command, context: CliContext): void {
  program
    .command('top')
    .description('watch the running server: requests, streams, lag, events; exit with Ctrl-C')
    .option('-s, --every <seconds>', 'refresh interval', wholeNumber(1, 3600), 2)
    .option('-n, --number <n>', 'exit after this many refreshes', wholeNumber(1, 1_000_000), 0)
    .option('--url <url>', 'URL of the server, if not that of this environment')
    .action((options: TopOptions) => showTop(context, options))
}
