import { mailWarning } from './warning_email.ts'
import { severSuspended } from './sever.ts'

/** What the domain leaves for later. */
export const jobs = [mailWarning, severSuspended]
