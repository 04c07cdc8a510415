const WAIT_MS = 30_000

/** What a stream brought, kept until a test asks for it. */
export class Inbox<M> {
  readonly messages: M[] = []
  readonly #describe: (message: M) => string
  #waiting: (() => void)[] = []
  #failure: unknown

  /** @param describe names a message, for the report of what came instead of what was awaited */
  constructor(describe: (message: M) => string) {
    this.#describe = describe
  }

  push(message: M): void {
    this.messages.push(message)
    this.#ring()
  }

  /** Makes `take` fail, also those under way. */
  fail(error: unknown): void {
    this.#failure = error
    this.#ring()
  }

  #ring(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Takes the first message that fits and drops all before it; fails after 30 seconds with what was missing and what there was. */
  async take(wanted: string, fits: (message: M) => boolean): Promise<M> {
    return (await this.takeUntil(wanted, fits)).at(-1) as M
  }

  /** Takes the first message that fits and leaves the others: for what comes in no order. Fails as `take` does. */
  async pick(wanted: string, fits: (message: M) => boolean): Promise<M> {
    const [message] = await this.#remove(wanted, fits, index => this.messages.splice(index, 1))
    return message
  }

  /** Takes all messages up to the first that fits, and it, in their order. */
  takeUntil(wanted: string, fits: (message: M) => boolean): Promise<[M, ...M[]]> {
    return this.#remove(wanted, fits, index => this.messages.splice(0, index + 1))
  }

  async #remove(wanted: string, fits: (message: M) => boolean, remove: (index: number) => M[]): Promise<[M, ...M[]]> {
    const until = Date.now() + WAIT_MS
    for (;;) {
      const index = this.messages.findIndex(fits)
      if (index >= 0) return remove(index) as [M, ...M[]]
      const leftMs = until - Date.now()
      if (leftMs <= 0 || this.#failure !== undefined) {
        const seen = this.messages.map(this.#describe).join(', ')
        const why = `${wanted} did not come; there were: ${seen || 'none'}`
        throw new Error(why, this.#failure === undefined ? {} : { cause: this.#failure })
      }
      await this.#change(leftMs)
    }
  }

  #change(atMostMs: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, atMostMs)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
