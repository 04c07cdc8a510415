/** Runs one piece of work whenever it is rung. */
export interface CoalescedTask {
  trigger(): void
  /** Rings no more, and waits for the work that runs. */
  close(): Promise<void>
}

/**
 * One run at a time and none is missed: a ring while `work` runs makes it run once more. Between `rung` being found false and `running`
 * becoming false nothing is awaited, so no ring falls in between.
 * @param work resolves to when it wants to run again although nobody rings: in milliseconds, 0 for at once, undefined for not
 * @param failed is told of an error of `work`, and says in how many milliseconds to run again
 */
export function createCoalescedTask(
  work: () => Promise<number | undefined>,
  failed: (error: unknown) => number,
): CoalescedTask {
  let pending = false
  let running = false
  let closed = false
  let done = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  function trigger(): void {
    pending = true
    if (running || closed) return
    running = true
    done = run()
  }

  function triggerIn(delayMs: number): void {
    if (!closed) timer = setTimeout(trigger, delayMs).unref()
  }

  async function run(): Promise<void> {
    clearTimeout(timer)
    try {
      while (pending) {
        pending = false
        const againMs = await work()
        if (closed) return
        if (againMs === 0) pending = true
        else if (againMs !== undefined && !pending) triggerIn(againMs)
      }
    } catch (error) {
      triggerIn(failed(error))
    } finally {
      running = false
    }
  }

  return {
    trigger: trigger,
    async close() {
      closed = true
      clearTimeout(timer)
      await done
    },
  }
}
