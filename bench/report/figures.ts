/**
 * The figures of one measurement in one round, by name. Figures that could not be measured are
 * missing.
 */
export type Figures = Partial<Record<FigureName, number>>

export interface Figure {
  readonly label: string
  readonly digits: number
  /** The desired direction; undefined: neither. */
  readonly better?: 'more' | 'less'
}

/**
 * All figures. Rates and CPU are per second, times in milliseconds, memory in megabytes of 2^20
 * bytes.
 */
export const FIGURES = {
  rate: { label: 'rate/s', digits: 0, better: 'more' },
  delivery: { label: 'one status, messages/s', digits: 0, better: 'more' },
  p50: { label: 'p50 ms', digits: 2, better: 'less' },
  p90: { label: 'p90 ms', digits: 2, better: 'less' },
  p99: { label: 'p99 ms', digits: 2, better: 'less' },
  p999: { label: 'p99.9 ms', digits: 1, better: 'less' },
  max: { label: 'max ms', digits: 1, better: 'less' },
  mean: { label: 'mean ms', digits: 2, better: 'less' },
  errors: { label: 'errors', digits: 0, better: 'less' },
  lost: { label: 'lost', digits: 0, better: 'less' },
  twice: { label: 'twice', digits: 0, better: 'less' },
  loadCpu: { label: 'load CPU', digits: 2 },
  serverCpu: { label: 'server CPU', digits: 2, better: 'less' },
  perServerCpu: { label: 'per server CPU s', digits: 0, better: 'more' },
  perCpu: { label: 'per CPU s', digits: 0, better: 'more' },
  cpuPerThousand: { label: 'CPU s/1000', digits: 2, better: 'less' },
  databaseCpu: { label: 'database CPU', digits: 2, better: 'less' },
  databaseSeconds: { label: 'in database', digits: 2, better: 'less' },
  databaseCalls: { label: 'statements/s', digits: 0 },
  memory: { label: 'server MB', digits: 0, better: 'less' },
  databaseMemory: { label: 'database MB', digits: 0, better: 'less' },
  together: { label: 'server and database MB', digits: 0, better: 'less' },
  growth: { label: 'MB/hour', digits: 1, better: 'less' },
  bytesEach: { label: 'bytes each', digits: 0, better: 'less' },
  everywhere: { label: 'in all feeds ms', digits: 0, better: 'less' },
  start: { label: 'start ms', digits: 0, better: 'less' },
  caughtUp: { label: 'caught up ms', digits: 0, better: 'less' },
} as const satisfies Record<string, Figure>

export type FigureName = keyof typeof FIGURES

export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[]

/** Formats a figure. */
export const showFigure = (name: FigureName, value: number): string =>
  value.toLocaleString('en', {
    maximumFractionDigits: FIGURES[name].digits,
    minimumFractionDigits: FIGURES[name].digits,
  })
