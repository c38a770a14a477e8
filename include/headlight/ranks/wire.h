// Wire: bytes between the processes that train one model, called ranks as in MPI.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace headlight::ranks {

// Nothing here waits. Several threads of a rank may call it at once.
class Wire {
 public:
  virtual ~Wire() = default;

  virtual std::size_t rank() const = 0;  // of this process: 0 … size()-1
  virtual std::size_t size() const = 0;

  // Begins to send a message. Those to one rank arrive whole, and in the order in which they were sent.
  virtual void send(std::size_t to, std::shared_ptr<const std::string> message) = 0;

  // The next message from a rank, if it has arrived.
  virtual std::optional<std::string> receive(std::size_t from) = 0;

  // Whether all messages have left. Until then they may need this process to call a function of the wire now
  // and then.
  virtual bool sent() = 0;
};

}  // namespace headlight::ranks
