import { forgetDeliveries } from './forget_deliveries.ts'
import { deliverNotice } from './notice.ts'

/** Background jobs of this folder. */
export const jobs = [deliverNotice, forgetDeliveries]
