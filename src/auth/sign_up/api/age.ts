import type { ValidationErrors } from '../../../accounts/index.ts'

/** Whether somebody born on a day (YYYY-MM-DD) is at least so many years old. */
export function isOldEnough(dateOfBirth: string, years: number, now: Date): boolean {
  const [year = 0, month = 1, day = 1] = dateOfBirth.split('-').map(Number)
  // Who was born on February 29 has the birthday on March 1 in other years, as Date reckons.
  return Date.UTC(year + years, month - 1, day) <= now.getTime()
}

/** Notes a date of birth that is missing or too late, where a least age is set. */
export function checkAge(dateOfBirth: string | undefined, leastYears: number | null, faults: ValidationErrors): void {
  if (leastYears === null) return
  const label = 'Date of birth'
  if (dateOfBirth === undefined) faults.add('date_of_birth', label, 'ERR_BLANK', "can't be blank")
  else if (!isOldEnough(dateOfBirth, leastYears, new Date())) {
    faults.add('date_of_birth', label, 'ERR_BELOW_LIMIT', 'is below the age limit')
  }
}
