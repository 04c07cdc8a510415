import { recount, refresh } from './refresh.ts'
import { requestReviews } from './request_reviews.ts'

export const jobs = [refresh, recount, requestReviews]
