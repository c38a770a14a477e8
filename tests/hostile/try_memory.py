"""A short run whose n-th allocation fails, alone or with all later ones: it ends with a sentence, and the folder holds
the old run or the new one."""
import concurrent.futures
import os
import shutil

from try_faults import Faults, library_of

TITLE = "an allocation fails, anywhere in a run that replaces another"


def run(t):
    library = library_of(t)
    if not library:
        return
    faults = Faults(t, library)
    log = t.work / "allocations.log"
    end = faults.call(faults.home("count", True), {"kind": "malloc", "log": log})
    count = int(log.read_text()) if end.status == 0 else 0
    t.note(f"{count} allocations", None if count > 1000 else "too few were seen")

    def tried(name, settings):
        home = faults.home(name, True)
        end = faults.call(home, settings)
        complaint = faults.saving.judge(end, home, True) or faults.saving.judge_next(home, True, False)
        shutil.rmtree(home, ignore_errors=True)
        return complaint

    # Most happen while sequences are drawn and measured, alike; those of the start and the end are all different.
    places = {*range(1, 200), *range(count - 400, count), *(t.random.randrange(count) for _ in range(200))}
    cases = [(f"allocation {n}{' and later' * later}", {"kind": "malloc", "at": n, **({"sticky": 1} if later else {})})
             for n in sorted(places) for later in (False, True)]
    if t.quick:
        cases = t.random.sample(cases, 16)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [(name, pool.submit(tried, name.replace(" ", "-"), settings)) for name, settings in cases]
        for name, result in results:
            t.note(name, result.result())
