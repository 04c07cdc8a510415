/** Runs a task whenever it is triggered. */
export interface CoalescedTask {
  trigger(): void
  /** Ignores further triggers, and waits for the current run. */
  close(): Promise<void>
}

/**
 * Never runs `work` twice at once and misses no trigger: a trigger during a run causes one more
 * run. Nothing is awaited between the last check of `pending` and `running = false`, so no trigger
 * can fall in between.
 * @param work resolves to the delay until the next run without a trigger: in milliseconds, 0 for at
 * once, undefined for none
 * @param onError handles an error of `work` and returns the delay until the next run in
 * milliseconds
 */
export function createCoalescedTask(
  work: () => Promise<number | undefined>,
  onError: (error: unknown) => number,
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
        const delayMs = await work()
        if (closed) return
        if (delayMs === 0) pending = true
        else if (delayMs !== undefined && !pending) triggerIn(delayMs)
      }
    } catch (error) {
      triggerIn(onError(error))
    } finally {
      running = false
    }
  }

  return {
    trigger,
    async close() {
      closed = true
      clearTimeout(timer)
      await done
    },
  }
}
