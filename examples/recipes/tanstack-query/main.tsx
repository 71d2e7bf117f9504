import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { Rooms } from "./rooms";

const queryClient = new QueryClient({
  // The client on the server has retried what may be retried.
  defaultOptions: { queries: { retry: false } },
});

// For the browser extension of TanStack Query.
Object.assign(window, { __TANSTACK_QUERY_CLIENT__: queryClient });

createRoot(document.querySelector("#app")!).render(
  <QueryClientProvider client={queryClient}>
    <Rooms />
  </QueryClientProvider>,
);
