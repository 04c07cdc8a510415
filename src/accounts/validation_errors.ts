import { ApiError } from '../core/errors.ts'

/** Something wrong with an attribute, as `details` tells it (api/entities/ValidationError.json). */
export interface Fault {
  attribute: string
  /** What people call it; the message about it begins with this. */
  label: string
  code: string
  description: string
}

/** Collects what is wrong with several attributes, so that all of it is told at once. */
export class ValidationErrors {
  readonly #found: Fault[] = []

  add(attribute: string, label: string, code: string, description: string): void {
    this.#found.push({ attribute, label, code, description })
  }

  addTooLong(attribute: string, label: string, most: number): void {
    this.add(attribute, label, 'ERR_TOO_LONG', `is too long (maximum is ${most} characters)`)
  }

  /** @throws ApiError validation with `details` by attribute, when there was a fault */
  throwIfAny(): void {
    if (this.#found.length === 0) return
    const details: Record<string, { error: string; description: string }[]> = {}
    for (const { attribute, code, description } of this.#found) {
      ;(details[attribute] ??= []).push({ error: code, description })
    }
    const messages = this.#found.map(({ label, description }) => `${label} ${description}`)
    throw new ApiError('validation', { message: `Validation failed: ${messages.join(', ')}`, body: { details } })
  }
}
