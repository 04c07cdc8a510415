import { Command, InvalidArgumentError } from 'commander'
import { readFileSync } from 'node:fs'

/** The options of the command line. */
export interface Options {
  readonly scenarios: readonly string[]
  readonly list: boolean
  /** The folder of another checkout, whose server takes turns with this one. */
  readonly against: string | undefined
  /** The files of two reports. */
  readonly compare: readonly string[]
  readonly url: string | undefined
  readonly tokens: readonly string[]
  readonly thread: string | undefined
  readonly data: string | undefined
  readonly accounts: number
  readonly statuses: number
  readonly people: number
  readonly followers: number
  readonly sizes: readonly number[]
  readonly workers: number
  readonly seconds: number
  readonly warmup: number
  readonly repeat: number
  readonly connections: number
  readonly rate: number | undefined
  readonly sockets: number | undefined
  /** The part of a day that the scenario day measures. */
  readonly hours: Hours | undefined
  /** How many seconds of that day pass in one. */
  readonly speed: number
  /** The folder for CPU profiles of the local server. */
  readonly profile: string | undefined
  readonly output: string
}

/** Whole hours of a day. */
export interface Hours {
  readonly from: number
  readonly until: number
}

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1000, M: 1_000_000 }

/** A whole number, also as 10k or 1M. @throws InvalidArgumentError */
export function readCount(text: string, min: number): number {
  const [, digits = '', unit = ''] = /^(\d+)([kM]?)$/.exec(text) ?? []
  const value = digits === '' ? Number.NaN : Number(digits) * (UNITS[unit] ?? 1)
  if (!(value >= min)) throw new InvalidArgumentError(`Expected a whole number from ${min}, such as 500, 10k or 1M.`)
  return value
}

const count =
  (min: number) =>
  (text: string): number =>
    readCount(text, min)

const counts =
  (min: number) =>
  (text: string): number[] =>
    text.split(',').map(part => readCount(part, min))

const LAST_HOUR = 24

/** Such as 20-21. @throws InvalidArgumentError */
function readHours(text: string): Hours {
  const [, from, until] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  const hours = { from: Number(from), until: Number(until) }
  if (!(hours.from < hours.until && hours.until <= LAST_HOUR))
    throw new InvalidArgumentError('Expected hours of a day, such as 20-21 or 0-24.')
  return hours
}

const collect = (text: string, sofar: string[]): string[] => [...sofar, text]

/**
 * One token per line; empty lines and lines that begin with # are ignored. @throws
 * InvalidArgumentError
 */
function readTokens(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'))
  } catch {
    throw new InvalidArgumentError(`${file} cannot be read.`)
  }
}

interface Given extends Omit<Options, 'scenarios' | 'tokens' | 'list' | 'compare'> {
  token: string[]
  tokensFile: string[]
  list?: boolean
  compare?: string[]
}

const HELP = `
Examples:
  npm run bench -- --list
  npm run bench -- home posting-100 --repeat 5
  npm run bench -- reads --url https://example.com --tokens-file tokens.txt
  npm run bench -- home --rate 500            open loop: 500 requests a second, whatever the answers take
  npm run bench -- home --data /tmp/million --statuses 1M
  npm run bench -- mixed --seconds 3600 --repeat 1
  npm run bench -- day --accounts 10k --people 10k --statuses 1M --hours 20-21 --repeat 1
  npm run bench -- home posting-100 --against ../before   another checkout, by turns
  npm run bench -- --compare before.json after.json
`

/** Parses a command line, without the program's own name. Exits on --help and on errors. */
export function readOptions(argv: readonly string[]): Options {
  const program = new Command('bench')
    .description('Measures a server with the Mastodon API: by default a local one with seeded data')
    .argument('[scenarios...]', 'scenarios or groups of them (see --list); all when none is named')
    .option('--list', 'list the scenarios')
    .option('--compare <files...>', 'compare two reports (JSON) instead of measuring')
    .option('--against <folder>', 'compare with the server of this checkout, by turns of 0.4 s')
    .option('--url <url>', 'measure this server instead of a local one')
    .option('--token <token>', 'bearer token of a user; may be repeated, the first user posts', collect, [])
    .option('--tokens-file <file>', 'a file with one token per line', readTokens, [])
    .option('--thread <id>', 'a status with many replies on that server, for the scenario context')
    .option('--data <folder>', 'folder for the seeded data, which can be reused; the default is temporary')
    .option('--accounts <n>', 'accounts to seed', count(10), 2000)
    .option('--statuses <n>', 'statuses to seed', count(10), 100_000)
    .option('--people <n>', 'number of the accounts with users', count(2), 1000)
    .option('--followers <n>', 'most followers of an author, for posting-100000', count(1), 100_000)
    .option('--sizes <list>', 'statuses in the databases of the scenario sizes', counts(10), [10_000, 1_000_000])
    .option('--workers <n>', 'processes of the local server', count(1), 1)
    .option('--seconds <n>', 'duration of each measurement', count(1), 10)
    .option('--warmup <n>', 'seconds of warm-up before each measurement', count(0), 3)
    .option('--repeat <n>', 'rounds; figures are their medians', count(1), 3)
    .option('--connections <n>', 'HTTP connections', count(1), 16)
    .option('--rate <n>', 'requests or statuses a second: reads and posts become an open loop', count(1))
    .option('--sockets <n>', "number of streaming sockets, instead of each scenario's", count(1))
    .option('--hours <from-to>', 'the part of the day for the scenario day; by default --seconds from 20:00', readHours)
    .option('--speed <n>', 'seconds of that day in one second', count(1), 20)
    .option('--profile <folder>', 'folder for CPU profiles of the local server, which slow it down a little')
    .option('--output <folder>', 'folder for reports', 'bench/results')
    .addHelpText('after', HELP)
  program.parse([...argv], { from: 'user' })
  const { token, tokensFile, list = false, compare = [], ...given } = program.opts<Given>()
  if (compare.length !== 0 && compare.length !== 2) program.error('--compare needs two files')
  if (given.against !== undefined && given.url !== undefined)
    program.error('--against starts its own servers: leave out --url')
  return {
    ...given,
    scenarios: program.args,
    list,
    compare,
    tokens: [...token, ...tokensFile],
  }
}
