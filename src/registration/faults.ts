import { Failure } from '../failure.ts'

/** What is wrong with the fields of a form: descriptions by attribute. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

const descriptionOf = (fault: unknown): string[] =>
  typeof fault === 'object' && fault !== null && 'description' in fault && typeof fault.description === 'string'
    ? [fault.description]
    : []

/**
 * Runs what may find faults with a form, and gives them; undefined when there are none.
 * @throws whatever is no failed validation
 */
export async function faultsOf(work: () => Promise<unknown>): Promise<FieldErrors | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || error.failure !== 'validation') throw error
    const details = error.body['details']
    const errors: Record<string, string[]> = {}
    for (const [name, faults] of Object.entries(typeof details === 'object' && details !== null ? details : {})) {
      if (Array.isArray(faults)) errors[name] = [...new Set(faults.flatMap(descriptionOf))]
    }
    return errors
  }
}
