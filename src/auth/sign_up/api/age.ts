import type { ValidationErrors } from '../../../accounts/index.ts'

/** Whether a person born on a day (YYYY-MM-DD) is at least this many years old. */
export function isOldEnough(dateOfBirth: string, years: number, now: Date): boolean {
  const [year = 0, month = 1, day = 1] = dateOfBirth.split('-').map(Number)
  // People born on February 29 have their birthday on March 1 in other years, as Date computes it.
  return Date.UTC(year + years, month - 1, day) <= now.getTime()
}

/** Adds an error for a missing or too late date of birth if a minimum age is set. */
export function checkAge(dateOfBirth: string | undefined, leastYears: number | null, errors: ValidationErrors): void {
  if (leastYears === null) return
  const label = 'Date of birth'
  if (dateOfBirth === undefined) errors.add('date_of_birth', label, 'ERR_BLANK', "can't be blank")
  else if (!isOldEnough(dateOfBirth, leastYears, new Date())) {
    errors.add('date_of_birth', label, 'ERR_BELOW_LIMIT', 'is below the age limit')
  }
}
