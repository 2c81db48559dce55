/** A pause that can be ended early, even before it begins. */
export function newPause() {
  let isEnded = false;
  let wake = () => {};
  return {
    end() {
      isEnded = true;
      wake();
    },
    async for(ms: number) {
      await new Promise<void>((resolve) => {
        if (isEnded) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      isEnded = false;
    },
  };
}
