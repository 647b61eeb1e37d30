// The elements of the first view and of a review, in one file, as they come together. Must not live here: what somebody scrolls to.
import 'tailnet-kit/elements/access'
import 'tailnet-kit/elements/changes'
import 'tailnet-kit/elements/policy'
import 'tailnet-kit/elements/preview'
import 'tailnet-kit/elements/save'
import 'tailnet-kit/elements/share'
import 'tailnet-kit/elements/tests'
