import { sendFarewell } from './farewell.ts'
import { accountRemoval } from './remove.ts'

export const jobs = [accountRemoval, sendFarewell]
