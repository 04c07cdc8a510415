import { sendFarewell } from './farewell.ts'
import { accountRemoval } from './remove.ts'
import { removeSuspended } from './suspended.ts'

export const jobs = [accountRemoval, removeSuspended, sendFarewell]
